import { z } from 'zod';

const DIGITS = /^[1-9]\d{0,8}$/;

/** A parameter that is a whole number from 1 on. */
export function countParameter(most: number) {
  const error = `must be a whole number from 1 to ${most}`;
  return z
    .string({ error })
    .refine((text) => DIGITS.test(text) && Number(text) <= most, { error })
    .transform(Number);
}
