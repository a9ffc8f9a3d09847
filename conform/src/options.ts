export interface ConformOptions {
  /** Where the deployment is, without `/v1`. */
  url: string;
  key: string;
  /** A number that may be written to. */
  to?: string;
  /** A key of another workspace. */
  second_key?: string;
  /** The port of this machine on which to listen for events. */
  webhook_port?: number;
  /** The address under which the deployment reaches that port; this machine's own where it is not given. */
  webhook_url?: string;
  /** How long somebody has to write from `to`; 0 waits for nobody. */
  reply_seconds?: number;
  /** Goes over the requests per minute, and over the sizes of all kinds of files. */
  limits?: boolean;
  /** Creates a template and deletes it. */
  templates?: boolean;
  /** Names of areas; all where it is not given. */
  only?: readonly string[];
  /** How long to wait for what the contract lets come later. */
  patience_ms?: number;
}
