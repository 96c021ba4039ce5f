import { type AuthorRow, type Procedure, selectAuthor } from '../../storage/port.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

export function* findAuthor(siteNo: number, authorId: string): Procedure<AuthorRow> {
  const author = yield* selectAuthor(siteNo, authorId);
  if (author === undefined) throw refuseAbsent(`There is no author ${authorId}.`);
  return author;
}
