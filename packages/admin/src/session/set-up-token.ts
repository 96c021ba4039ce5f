/** The set-up token in a link, in the fragment of one, or by itself. */
export function findSetUpToken(text: string): string | undefined {
  return /(?:^|[#&?]|token=)(gs_[\w-]+)$/.exec(text.trim())?.[1];
}
