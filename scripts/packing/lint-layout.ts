import { readFile } from 'node:fs/promises';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What is wrong with the layout of a package that is about to be published; nothing where all is well. */
export async function lintLayout(tarball: string): Promise<readonly string[]> {
  const { buffer, byteOffset, byteLength } = await readFile(tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}
