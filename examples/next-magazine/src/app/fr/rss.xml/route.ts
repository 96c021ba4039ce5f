import { answerFeedRequest } from '../../../lib/answer-feed-request.ts';

export function GET(request: Request): Promise<Response> {
  return answerFeedRequest(request, 'fr');
}
