import type { RefusalNote } from '../../../../../src/telemetry/recent-refusals.ts';
import type { LiveFigures } from '../../live/figures.ts';
import { Chart } from './charts.ts';
import { byId, element, fillTable, numbers, textIn } from './dom.ts';
import { formatClock, formatCount, formatFigure } from './format.ts';
import { History } from './history.ts';
import { openStream } from './stream.ts';
import { describeState, detailsOf, isDown } from './wording.ts';

const BASKET = '/v1/pos/basket';
/** Figures older than this are marked as old. */
const PATIENCE_MS = 4000;
/** Refusals shown until all of them are asked for. */
const FEW = 10;

/** The live section, fed by `GET /live`. It shows the last five minutes. */
export class LiveSection {
  #history = new History();
  #isPaused = false;
  #showsAll = false;
  #refusals: readonly RefusalNote[] = [];
  /** Time of the last reading by this machine's clock; 0 before the first one. */
  #heardAtMs = 0;
  #charts: { latency: Chart; calls: Chart; inFlight: Chart } | undefined;

  start() {
    openStream({
      history: (readings) => this.#history.take(readings),
      figures: (figures) => this.#hear(figures),
      refusals: (refusals) => {
        this.#refusals = refusals;
        // Drawn only after a change, so that a text being selected stays.
        if (!this.#isPaused) this.#drawRefusals();
      },
    });
    setInterval(() => this.#showState(), 1000);
    addEventListener('hashchange', () => this.#showState());
    this.#showState();
    const pause = byId('pause');
    pause.addEventListener('click', () => {
      this.#isPaused = !this.#isPaused;
      pause.setAttribute('aria-pressed', String(this.#isPaused));
      this.#draw();
      if (!this.#isPaused) this.#drawRefusals();
    });
    byId('all-refusals').addEventListener('click', () => {
      this.#showsAll = !this.#showsAll;
      this.#drawRefusals();
    });
  }

  /**
   * Draws the readings that came in while the section was hidden. Charts are created here, because a hidden box has no
   * width.
   */
  fit() {
    this.#charts ??= {
      latency: new Chart(byId('chart-latency'), {
        isLogarithmic: true,
        atLeast: () => this.#history.readings.at(-1)?.budget.p99Ms ?? 1,
        lines: [
          { label: 'budget p95', colour: '--p95', isDashed: true },
          { label: 'budget p99', colour: '--p99', isDashed: true },
          { label: 'p50', colour: '--p50' },
          { label: 'p95', colour: '--p95' },
          { label: 'p99', colour: '--p99' },
        ],
      }),
      calls: new Chart(byId('chart-calls'), {
        atLeast: () => 10,
        lines: [
          { label: 'calls', colour: '--calls', isFilled: true },
          { label: 'shed', colour: '--bad', isFilled: true },
        ],
      }),
      inFlight: new Chart(byId('chart-in-flight'), {
        atLeast: () => 10,
        lines: [
          { label: 'limit', colour: '--muted', isDashed: true },
          { label: 'in flight', colour: '--calls', isFilled: true },
        ],
      }),
    };
    this.#draw();
  }

  #hear(figures: LiveFigures) {
    this.#heardAtMs = Date.now();
    this.#history.add(figures);
    this.#showState();
    this.#draw();
  }

  #showState() {
    const newest = this.#history.readings.at(-1);
    const isOld = newest === undefined || Date.now() - this.#heardAtMs > PATIENCE_MS;
    const { text, isBad } = describeState(newest, isOld);
    const state = byId('state');
    // Written only after a change, because a screen reader reads the status out each time.
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle('bad', isBad);
    // The tab's title says that the service is down, so that it is seen from other tabs.
    const section = document.querySelector('section:not([hidden]) h1')?.textContent;
    const title = `${isDown(newest, isOld) ? 'Down · ' : ''}${section} · Loyalty gateway`;
    if (document.title !== title) document.title = title;
    byId('section-live').classList.toggle('old', isOld && newest !== undefined);
    if (!newest) return;
    byId('environment').textContent = newest.environment;
    byId('configuration').textContent = `configuration ${newest.configuration}`;
    byId('build').textContent = `version ${newest.version}, commit ${newest.commit.slice(0, 10)}`;
    byId('configuration').classList.toggle('bad', newest.isConfigurationRefused);
  }

  #draw() {
    if (this.#isPaused || byId('section-live').hidden) return;
    const newest = this.#history.readings.at(-1);
    if (!newest) return;
    this.#drawTiles(newest);
    this.#drawCharts(newest);
    this.#drawErrors(newest);
    this.#drawEvents(newest);
  }

  #drawTiles({ latency, budget, inFlight, admissionLimit, isRedisUp, redisCause, workers, queued }: LiveFigures) {
    const rates = this.#history.ratesAt(this.#history.readings.length - 1);
    const basket = latency[BASKET];
    const set = (id: string, text: string) => textIn(id)(text);
    const mark = (id: string, isBad: boolean) => byId(id).classList.toggle('bad', isBad);
    set('tile-calls', formatFigure(rates?.calls));
    set('tile-p50', formatFigure(basket?.p50Ms));
    set('tile-p95', formatFigure(basket?.p95Ms));
    set('tile-p99', formatFigure(basket?.p99Ms));
    set('budget-p95', `of ${budget.p95Ms}`);
    set('budget-p99', `of ${budget.p99Ms}`);
    mark('box-p95', (basket?.p95Ms ?? 0) > budget.p95Ms);
    mark('box-p99', (basket?.p99Ms ?? 0) > budget.p99Ms);
    set('tile-in-flight', formatCount(inFlight));
    set('limit', `of ${formatCount(admissionLimit)}`);
    set('tile-shed', formatFigure(rates?.shed));
    mark('box-shed', (rates?.shed ?? 0) > 0);
    set('tile-redis', isRedisUp ? 'up' : 'down');
    set('redis-cause', redisCause?.replaceAll('_', ' ') ?? '');
    mark('box-redis', !isRedisUp || redisCause !== undefined);
    set('tile-workers', formatCount(workers));
    set('queued', queued > 0 ? `${formatCount(queued)} waiting` : '');
    mark('box-workers', workers === 0);
  }

  #drawCharts(newest: LiveFigures) {
    const { readings } = this.#history;
    const ages = readings.map(({ atMs }) => (atMs - newest.atMs) / 1000);
    const basket = readings.map(({ latency }) => latency[BASKET]);
    const rates = readings.map((_, index) => this.#history.ratesAt(index));
    this.#charts?.latency.show(ages, [
      readings.map(({ budget }) => budget.p95Ms),
      readings.map(({ budget }) => budget.p99Ms),
      basket.map((latency) => latency?.p50Ms ?? null),
      basket.map((latency) => latency?.p95Ms ?? null),
      basket.map((latency) => latency?.p99Ms ?? null),
    ]);
    this.#charts?.calls.show(ages, [rates.map((rate) => rate?.calls ?? null), rates.map((rate) => rate?.shed ?? null)]);
    this.#charts?.inFlight.show(ages, [
      readings.map(({ admissionLimit }) => admissionLimit),
      readings.map(({ inFlight }) => inFlight),
    ]);
  }

  #drawErrors(newest: LiveFigures) {
    const before = new Map(this.#history.aMinuteAgo?.calls.map((entry) => [keyOf(entry), entry.count]));
    const rows = newest.calls
      .filter(({ code }) => code !== 'none')
      .map((entry) => ({ ...entry, recent: Math.max(0, entry.count - (before.get(keyOf(entry)) ?? 0)) }))
      .sort((one, other) => other.recent - one.recent || other.count - one.count)
      .map(({ code, status, route, recent, count }) => [
        element('code', {}, code),
        status === 0 ? '–' : String(status),
        route,
        formatCount(recent),
        formatCount(count),
      ]);
    const columns = ['Code', 'Status', 'Path', numbers('Last minute'), numbers('Since start')];
    fillTable(byId('errors'), columns, rows, 'None since the start.');
  }

  #drawEvents(newest: LiveFigures) {
    const before = this.#history.aMinuteAgo?.events ?? {};
    const rows = Object.entries(newest.events).map(([event, count]) => [
      event,
      formatCount(Math.max(0, count - (before[event] ?? 0))),
      formatCount(count),
    ]);
    const columns = ['Event', numbers('Last minute'), numbers('Since start')];
    fillTable(byId('events'), columns, rows, 'Nothing since the start.');
  }

  #drawRefusals() {
    const button = byId('all-refusals');
    button.hidden = this.#refusals.length <= FEW;
    button.textContent = this.#showsAll ? `Show the last ${FEW}` : `Show all ${this.#refusals.length}`;
    const rows = this.#refusals
      .slice(0, this.#showsAll ? undefined : FEW)
      .map((note) => [
        formatClock(note.atMs),
        element('span', { class: 'together' }, element('code', {}, note.code), ` ${note.status}`),
        note.message + detailsOf(note),
        note.venueId ?? '–',
        linkTo(note),
        element('span', { class: 'identifier' }, note.requestId),
        note.count === 1 ? '' : `× ${formatCount(note.count)}`,
      ]);
    const columns = ['Time', 'Code', 'Error', 'Venue', 'Calculation', 'Request ID', numbers('Times')];
    fillTable(byId('refusals'), columns, rows, 'None since the start.');
  }
}

function keyOf({ route, status, code }: LiveFigures['calls'][number]) {
  return `${route} ${status} ${code}`;
}

function linkTo({ calculationId }: RefusalNote) {
  if (calculationId === undefined) return '–';
  return element('a', { href: `#look-up/${calculationId}`, class: 'identifier' }, calculationId);
}
