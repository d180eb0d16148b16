/** The part of pino-roll that we use; the package ships no types of its own. */
declare module 'pino-roll' {
  export interface RollOptions {
    file: string;
    extension?: string;
    frequency: 'daily';
    dateFormat: string;
    /** Megabytes. */
    size?: number;
    mkdir: boolean;
    mode?: number;
    limit?: { count: number; removeOtherLogFiles: boolean };
    maxLength: number;
    minLength?: number;
  }
  /** Resolves with a SonicBoom stream. */
  export default function buildRoll(options: RollOptions): Promise<unknown>;
}
