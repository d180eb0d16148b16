/** A rendered page of the operations port. */
export interface Page {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
