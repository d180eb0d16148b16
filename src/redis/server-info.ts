/** The fields of an answer to INFO, by name. */
export type ServerInfo = ReadonlyMap<string, string>;

export function parseInfo(text: string): ServerInfo {
  const lines = text.split('\r\n').map((line) => /^([a-z_0-9]+):(.*)$/.exec(line));
  return new Map(lines.flatMap((match) => (match ? [[match[1] as string, match[2] as string]] : [])));
}
