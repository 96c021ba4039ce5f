import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

/** The organisation, which the API calls the account. Everything belongs to it. */
export const organisationQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => readAnswer(api.GET('/manage/v1/account')),
});
