/** What the service stands on, as it was read last. A figure that could not be read is missing. */
export interface Resources {
  readonly folders: readonly Folder[];
  readonly redis: RedisResources | undefined;
}

/** File descriptors of the process: every connection and every file takes one. */
export interface Descriptors {
  readonly open: number;
  /** At this number no connection is accepted any more. */
  readonly limit: number;
}

/** The disk below a folder, without what is reserved for root. */
export interface Folder {
  /** The variable that names the folder, e.g. `DATA_DIR`. */
  readonly name: string;
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** The worst of all servers that take writes. */
export interface RedisResources {
  readonly usedBytes: number;
  /** `maxmemory`, or the machine's memory where none is set. */
  readonly limitBytes: number;
  /** Keys that the servers have dropped for lack of memory since they started. */
  readonly evictedKeys: number;
  /** False after an append to the append-only file has failed, until one succeeds. */
  readonly isFileWritten: boolean;
  /** False after a rewrite of the append-only file has failed, until one succeeds. */
  readonly isFileRewritten: boolean;
}
