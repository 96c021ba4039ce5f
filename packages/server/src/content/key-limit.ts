// The limit that an API key may have of its own.

export const MOST_REQUESTS_A_MINUTE = 1_000_000_000;
