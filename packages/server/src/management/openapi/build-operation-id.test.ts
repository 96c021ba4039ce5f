import { expect, test } from 'vitest';
import { buildOperationId } from './build-operation-id.ts';

test.each([
  ['GET', '/account', 'getAccount'],
  ['GET', '/sites', 'getSites'],
  ['GET', '/sites/{site}', 'getSite'],
  ['POST', '/sites/{site}/authors', 'postSiteAuthors'],
  ['DELETE', '/sites/{site}/authors/{author}', 'deleteSiteAuthor'],
  ['GET', '/sites/{site}/content', 'getSiteContent'],
  ['GET', '/sites/{site}/content/{content}', 'getSiteOneContent'],
  ['GET', '/sites/{site}/content/{content}/versions/{version}/compare/{other}', 'getSiteOneContentVersionCompareOther'],
  ['PUT', '/sites/{site}/default-language', 'putSiteDefaultLanguage'],
  ['GET', '/sites/{site}/types/{content_type}', 'getSiteTypesContentType'],
] as const)('%s %s is %s', (method, path, id) => {
  expect(buildOperationId(method, path)).toBe(id);
});
