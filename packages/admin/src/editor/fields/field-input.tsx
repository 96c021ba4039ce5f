import type { ManagedFieldBody } from '@galley/wire';
import { AssetsInput } from './assets-input.tsx';
import { BlocksInput } from './blocks-input.tsx';
import { BooleanInput } from './boolean-input.tsx';
import { ContentLinksInput } from './content-links-input.tsx';
import { DateInput } from './date-input.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { ListInput } from './list-input.tsx';
import { NumberFieldInput } from './number-field-input.tsx';
import { OptionInput } from './option-input.tsx';
import { TextFieldInput } from './text-field-input.tsx';

const INPUTS: Readonly<Record<ManagedFieldBody['type'], (props: FieldInputProps) => React.ReactNode>> = {
  text: TextFieldInput,
  number: NumberFieldInput,
  boolean: BooleanInput,
  date: DateInput,
  list: ListInput,
  option: OptionInput,
  assets: AssetsInput,
  content_links: ContentLinksInput,
  blocks: BlocksInput,
};

/** The input that fits a field's type. */
export function FieldInput(props: FieldInputProps) {
  const Input = INPUTS[props.field.type];
  return <Input {...props} />;
}
