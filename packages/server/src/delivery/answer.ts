/** What an endpoint has to say, before it is known in which form it goes out. */
export interface Answer {
  readonly body: string;
  /** Whether the body is known to hold nothing but ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}
