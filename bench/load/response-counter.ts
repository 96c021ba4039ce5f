// Counts complete HTTP/1.1 responses in the bytes received over a connection, without parsing their bodies. It supports only the responses
// that the measured servers send: a body with a given length, or a 304 without a body.

const HEAD_END = '\r\n\r\n';
const LONGEST_HEAD = 8192;

export class ResponseCounter {
  #head = '';
  #bodyLeft = 0;

  /** The number of responses that these bytes complete. Throws on any status other than 200 or 304. */
  count(bytes: Buffer): number {
    let whole = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, bytes.length - at);
        this.#bodyLeft -= taken;
        at += taken;
        if (this.#bodyLeft === 0) whole += 1;
        continue;
      }
      const known = this.#head.length;
      // The end of the headers may be split across two reads.
      this.#head += bytes.toString('latin1', at, at + LONGEST_HEAD);
      const end = this.#head.indexOf(HEAD_END);
      if (end === -1 && this.#head.length < LONGEST_HEAD) return whole;
      if (end === -1) throw new Error('The response head is too long');
      at += end + HEAD_END.length - known;
      this.#bodyLeft = readBodyLength(this.#head.slice(0, end));
      this.#head = '';
      if (this.#bodyLeft === 0) whole += 1;
    }
    return whole;
  }
}

function readBodyLength(head: string): number {
  const status = head.slice(9, 12);
  if (status === '304') return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (status === '200' && length !== undefined) return Number(length);
  throw new Error(`The response cannot be counted: ${head.slice(0, head.indexOf('\r\n'))}`);
}
