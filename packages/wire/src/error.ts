/** The body of every error response of the delivery API: one sentence, and nothing else. */
export interface ErrorBody {
  readonly message: string;
}
