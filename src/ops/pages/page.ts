/** A page of the operations port as it is sent. */
export interface Page {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
