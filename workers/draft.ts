/** The entry of the thread that checks or prices drafts of the configuration. */
export { workOnDraft as default } from '../src/threads/draft-work.ts';
