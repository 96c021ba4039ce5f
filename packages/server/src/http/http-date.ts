/** The time as HTTP writes it. It has whole seconds, so it is written once a second. */
export function readHttpDate(): string {
  if (written === undefined) {
    const now = new Date();
    written = now.toUTCString();
    setTimeout(forget, 1000 - now.getMilliseconds()).unref();
  }
  return written;
}

let written: string | undefined;

function forget(): void {
  written = undefined;
}
