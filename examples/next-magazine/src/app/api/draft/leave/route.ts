import { answerLeaveRequest } from '../../../../lib/answer-draft-request.ts';

export function GET(request: Request): Response {
  return answerLeaveRequest(new URL(request.url).searchParams);
}
