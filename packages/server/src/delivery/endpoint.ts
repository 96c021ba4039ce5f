// The two endpoints behind one door. What is asked for is plain data, so that another thread can be asked for it too.

import type { Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import type { ListAddress } from '../listing/envelope.ts';
import type { ListRequest } from '../listing/list-query.ts';
import type { DeliveryReads, Procedure, Reading } from '../storage/port.ts';
import type { TextAnswer } from './answer.ts';
import type { Oversized } from './answer-size.ts';
import { type ContentRequest, getContent } from './get-content.ts';
import { type ListRules, listContent } from './list-content.ts';

export type Wanted =
  | (ContentRequest & { readonly kind: 'object' })
  | (Omit<ListRequest, 'realm'> & ListAddress & { readonly kind: 'list' });

export function runEndpoint(
  wanted: Wanted,
  rules: ListRules,
  reading: Reading,
  reads: DeliveryReads,
): Procedure<Result<TextAnswer, Problem | Oversized>> {
  return wanted.kind === 'object' ? getContent(wanted, reading, reads) : listContent(wanted, rules, reading, reads);
}
