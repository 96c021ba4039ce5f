/** What an endpoint has to say, before it is known in which form it goes out. */
export interface Answer {
  /** Text, or bytes of UTF-8. */
  readonly body: string | Buffer;
  /** Whether the body is known to hold nothing but ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}

/** As it was rendered. */
export interface TextAnswer extends Answer {
  readonly body: string;
}
