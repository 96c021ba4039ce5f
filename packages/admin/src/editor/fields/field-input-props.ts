import type { ManagedFieldBody } from '@galley/wire';

export interface FieldInputProps {
  readonly field: ManagedFieldBody;
  /** Where its value stands in the content, like `fields.title`; what the API says of that place is shown here. */
  readonly path: string;
  /** As the API has it: `{ text: 'Hello' }`. */
  readonly value: unknown;
  /** Called with undefined where there is no value any more. */
  readonly onChange: (value: unknown) => void;
}
