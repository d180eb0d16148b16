/** The build that a process runs. */
export interface Build {
  /** Version of the package. */
  readonly version: string;
  /** The commit of its files; `unknown` where nothing names it. */
  readonly commit: string;
}
