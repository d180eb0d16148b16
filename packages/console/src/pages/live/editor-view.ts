import type { CompletionContext } from '@codemirror/autocomplete';
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Schema, wordsAt } from './schema-words.ts';
import { findPlace } from './yaml-place.ts';

/** The texts of drafts, of which one is shown: CodeMirror, with names completed by the schema of configurations, and errors where they stand. */

type Mark = { line?: number | undefined; column?: number | undefined; words: string; severity: 'error' | 'warning' };

const THEME = EditorView.theme({
  '&': { height: '28rem', fontSize: '0.8125rem', border: '1px solid var(--rule)', borderRadius: '6px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', borderRight: '1px solid var(--rule)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--rule)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--raised)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-panel input, .cm-panel button': { font: 'inherit', color: 'var(--text)', background: 'var(--ground)' },
});
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export class DraftText {
  #view: EditorView;
  #extensions: Extension;
  /** The text of each file, with a history of its own. */
  #states = new Map<string, EditorState>();
  #shown: string | undefined;

  /** `host` gets a shadow tree, because the page's policy allows no style of a script outside of one. */
  constructor(host: HTMLElement, schema: Schema, onChange: () => void) {
    const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      yaml(),
      lintGutter(),
      autocompletion({ override: [(context) => complete(schema, context)] }),
      // Tab is left to the page: it leaves the text, as it leaves every field.
      keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': 'Draft of the configuration', tabindex: '0' }),
      EditorView.updateListener.of(({ state, docChanged }) => {
        if (this.#shown !== undefined) this.#states.set(this.#shown, state);
        if (docChanged) onChange();
      }),
      THEME,
      syntaxHighlighting(COLOURS),
    ];
    this.#view = new EditorView({ parent: root, root, extensions: this.#extensions });
  }

  show(file: string) {
    const state = this.#states.get(file);
    if (!state || file === this.#shown) return;
    this.#shown = file;
    this.#view.setState(state);
  }

  textOf(file: string) {
    return this.#states.get(file)?.doc.toString() ?? '';
  }

  /** Replaces the text of a file, which can be undone. */
  setText(file: string, text: string) {
    const state = this.#states.get(file);
    if (!state) return this.#states.set(file, EditorState.create({ doc: text, extensions: this.#extensions }));
    if (text === state.doc.toString()) return;
    const change = state.update({ changes: { from: 0, to: state.doc.length, insert: text } });
    if (file === this.#shown) this.#view.dispatch(change);
    else this.#states.set(file, change.state);
  }

  /** Marks places of the text that is shown. */
  mark(marks: readonly Mark[]) {
    const { state } = this.#view;
    const diagnostics = marks.map(({ line = 1, column = 1, words, severity }) => {
      const { from, to, text } = state.doc.line(Math.min(line, state.doc.lines));
      const start = Math.min(from + column - 1, to);
      const length = /^[^\s,{}[\]]+/.exec(text.slice(start - from))?.[0].length ?? 0;
      return { from: start, to: Math.min(start + length, to), severity, message: words };
    });
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }

  goTo(line: number, column: number) {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.min(line, doc.lines));
    this.#view.dispatch({ selection: { anchor: Math.min(from + column - 1, to) }, scrollIntoView: true });
    this.#view.focus();
  }
}

function complete(schema: Schema, { state, pos, explicit }: CompletionContext) {
  const before = state.sliceDoc(0, pos);
  const place = findPlace(before);
  if (!place || (place.typed === '' && !explicit)) return null;
  const words = wordsAt(schema, place.path, place.isKey, findKind(before, state.sliceDoc(pos)));
  if (words.length === 0) return null;
  return {
    from: pos - place.typed.length,
    options: words.map(({ label, detail }) => ({ label, detail, ...(place.isKey && { apply: `${label}: ` }) })),
    validFor: /^[\w.-]*$/,
  };
}

/** The kind of the benefit around the cursor: the nearest one in its entry of the list. */
function findKind(before: string, after: string) {
  const entry = before.slice(before.lastIndexOf('benefitId'));
  const rest = after.slice(0, Math.max(0, after.indexOf('benefitId')) || undefined);
  return /kind["']?:\s*["']?([a-z_]+)/.exec(entry + rest)?.[1];
}
