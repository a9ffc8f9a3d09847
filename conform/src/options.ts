export interface ConformOptions {
  /** The address of the deployment, without `/v1`. */
  url: string;
  key: string;
  /** A phone number that may receive messages. */
  to?: string;
  /** A key of another workspace. */
  second_key?: string;
  /** The local port that receives events. */
  webhook_port?: number;
  /** The address of that port for the deployment. Default: 127.0.0.1. */
  webhook_url?: string;
  /** The time to wait for a message from `to`; 0 does not wait. */
  reply_seconds?: number;
  /** Exceeds the requests per minute and the sizes of all kinds of files. */
  limits?: boolean;
  /** Creates a template and deletes it. */
  templates?: boolean;
  /** Names of areas. Absent: all. */
  only?: readonly string[];
  /** The time to wait for effects that may come later by the contract. */
  patience_ms?: number;
}
