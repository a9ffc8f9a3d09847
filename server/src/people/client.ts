/** A browser that a person uses. */
export interface Client {
  address: string;
  user_agent: string;
  /** The cookie of a known device. */
  device?: string | undefined;
  /** Aborted when the browser hangs up: costly work for it then ends. */
  gone?: AbortSignal | undefined;
}
