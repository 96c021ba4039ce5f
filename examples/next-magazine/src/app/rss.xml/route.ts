import { answerFeedRequest } from '../../lib/answer-feed-request.ts';
import { LANGUAGES } from '../../lib/site.ts';

export function GET(request: Request): Promise<Response> {
  return answerFeedRequest(request, LANGUAGES[0].code);
}
