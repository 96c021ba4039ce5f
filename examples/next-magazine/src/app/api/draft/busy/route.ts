import { answerBusy } from '../../../../lib/answer-draft-request.ts';

export function GET(): Response {
  return answerBusy();
}
