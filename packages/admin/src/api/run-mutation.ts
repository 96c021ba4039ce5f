import type { QueryClient } from '@tanstack/react-query';

/** A call outside of any component, as a mutation: the end of a session is noticed here as everywhere. */
export function runMutation<Answer>(queryClient: QueryClient, call: () => Promise<Answer>): Promise<Answer> {
  return queryClient.getMutationCache().build(queryClient, { mutationFn: call }).execute(undefined);
}
