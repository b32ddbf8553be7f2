import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import { ConversationMembers } from './conversation.request.dto.js';

/** The request whose input tokens are counted. */
@ForwardsOtherMembers()
export class CountTokensRequestBody extends ConversationMembers {}
