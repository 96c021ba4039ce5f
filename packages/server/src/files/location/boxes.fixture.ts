// For tests: files that consist of boxes, as videos and HEIF pictures do.

export function box(type: string, ...contents: readonly (Buffer | string)[]): Buffer {
  const body = contents.map((each) => Buffer.from(each));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...body]);
}

function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

function u32(value: number): Buffer {
  return Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
}

/** A picture whose XMP consists of many pieces that are all at the same offset. */
export function repeatPlace(times: number, metadata: Buffer): Buffer {
  const kind = box('infe', Buffer.from([2, 0, 0, 0]), u16(1), u16(0), 'mime\0application/rdf+xml\0');
  function build(place: number): Buffer {
    const piece = Buffer.concat([u32(place), u32(metadata.length)]);
    const list = Buffer.concat(Array.from({ length: times }, () => piece));
    const places = box('iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), u16(1), u16(1), u16(0), u16(times), list);
    return Buffer.concat([box('ftyp', 'heic'), box('meta', u32(0), box('iinf', u32(0), u16(1), kind), places)]);
  }
  return Buffer.concat([build(build(0).length), metadata]);
}
