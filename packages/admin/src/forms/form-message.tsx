import { Alert } from '@mantine/core';

/** What a form was refused for, where it names no field. */
export function FormMessage({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {message}
    </Alert>
  );
}
