// The URLs that lead through a list: the request's own, with one parameter set. All other parameters stay as they came,
// in their order and spelling.

export type PagingParameter = 'cursor' | 'page';

/** @param path the endpoint's absolute address, without parameters */
export function buildListUrl(path: string, queryString: string, parameter: PagingParameter, value: string): string {
  return `${buildUrlStart(path, queryString, parameter)}${encodeURIComponent(value)}`;
}

/** Everything but the value, which comes last; the links of one answer differ in nothing else. */
export function buildUrlStart(path: string, queryString: string, parameter: PagingParameter): string {
  if (queryString === '') return `${path}?${parameter}=`;
  let kept = '';
  for (const pair of queryString.split('&')) if (pair !== '' && !setsParameter(pair, parameter)) kept += `${pair}&`;
  return `${path}?${escapeRaw(kept)}${parameter}=`;
}

/** What a client may send raw but a URL may not hold: it would end the URL in a Link header. */
function escapeRaw(text: string): string {
  return text.replace(/[^\x21-\x7e]|["<>\\^`{|}]/g, (character) => {
    const code = character.charCodeAt(0);
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** `page=2`, but also `page[]=2` and `%70age=2`, which mean the same. */
function setsParameter(pair: string, parameter: PagingParameter): boolean {
  const end = pair.indexOf('=');
  const name = end === -1 ? pair : pair.slice(0, end);
  if (name === parameter) return true;
  if (!/[%[]/.test(name)) return false;
  try {
    return decodeURIComponent(name).split('[', 1)[0] === parameter;
  } catch {
    return false;
  }
}
