import { ApiProperty, OmitType } from '@nestjs/swagger';
import { CHOICE_REASONS, PASS_REASONS, type ChoiceReason, type PassReason } from '../../../kernel/call-facts.js';
import { GenerationListItem } from './generations.response.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { GENERATION_DETAILS_EXAMPLE } from './generations.examples.js';

/** Why a call or an attempt failed. */
export class CallError {
  /** The provider's own code, else the kind of the failure. */
  @ApiProperty({ example: 'provider_failed' })
  code: string;

  /** This service's own message, at most 256 characters. A provider's words are not recorded. */
  @ApiProperty({ example: 'The provider failed to answer this request' })
  message: string;
}

/** A credential, by which calls reach a provider. */
class CredentialReference {
  /** Of a platform credential (`env:<slug>`: of the environment), or of one of the account's own. */
  @ApiProperty()
  id: string;

  /** Null where it has none, or is one of the account's own, or was deleted. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /** Masked rendering of the key; null as `name` is. */
  @ApiProperty({ type: String, nullable: true, example: 'sk-...AbCd' })
  label: string | null;
}

/** A credential that was not used, or came behind others. */
export class PassedCredential extends CredentialReference {
  /**
   * `rate_limited`, `exhausted`, `refused`, `unknown_model`: what the vendor said of it. `cap`: a limit of its own.
   * `budget`: a budget. `address`, `unhealthy`: its address had failed.
   */
  @ApiProperty({ enum: PASS_REASONS })
  reason: PassReason;
}

/** The credential of an attempt. */
export class AttemptCredential extends CredentialReference {
  /**
   * `only`: no other one could be used. `own_key`: the account's own come first. `session`: it served the session
   * before. `priority`: the lowest. `weight`: drawn among those of one priority. `next`: those before it failed or were
   * passed over.
   */
  @ApiProperty({ enum: CHOICE_REASONS })
  reason: ChoiceReason;

  /** Those that would have come before it. */
  @ApiProperty({ type: [PassedCredential] })
  passed_over: PassedCredential[];
}

/** One call to one endpoint. */
export class GenerationAttempt {
  @ApiProperty()
  provider_name: string;

  /** The HTTP status that the provider sent, or that its failure amounts to. */
  @ApiProperty({ type: 'integer' })
  status: number;

  @ApiProperty()
  latency: number;

  /** Null where it succeeded, or was recorded before reasons were. */
  @ApiProperty({ type: CallError, nullable: true })
  error: CallError | null;

  /** For callers who may read platform credentials; null for others, and where it was not recorded. */
  @ApiProperty({ type: AttemptCredential, nullable: true })
  credential: AttemptCredential | null;
}

/** A part of the price. The amounts of all lines add up to `total_cost`, up to the rounding of the sum. */
export class PriceLine {
  /** What was counted: a class of tokens, `characters`, `images`; `call` where the parts were not recorded. */
  @ApiProperty({ example: 'prompt' })
  item: string;

  @ApiProperty()
  quantity: number;

  /** The price of one in USD, a decimal text; null where only the amount is known. */
  @ApiProperty({ type: String, nullable: true, example: '0.00000125' })
  unit_price: string | null;

  /** USD. */
  @ApiProperty()
  amount: number;
}

/** Parts of the time that the call took, in milliseconds. */
export class LatencyParts {
  /** Until the attempt began that succeeded: the attempts before it. */
  @ApiProperty()
  failed_attempts: number;

  /** From then to the first byte of the response. */
  @ApiProperty()
  first_byte: number;

  /** From the first byte to the end. */
  @ApiProperty()
  response: number;

  @ApiProperty()
  total: number;
}

export class GenerationDetails extends OmitType(GenerationListItem, ['latency', 'generation_time'] as const) {
  @ApiProperty()
  streamed: boolean;

  @ApiProperty()
  cancelled: boolean;

  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  session_id: string | null;

  /** The provider's id of the response. */
  @ApiProperty({ type: String, nullable: true })
  upstream_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  user_agent: string | null;

  /** The generation whose response was reused; null = the provider's own response. */
  @ApiProperty({ type: String, nullable: true })
  response_cache_source_id: string | null;

  /** What ended the call; null where it succeeded, or was recorded before reasons were. */
  @ApiProperty({ type: CallError, nullable: true })
  error: CallError | null;

  /** In their order; null where they were not recorded: of image and speech calls, those that failed have them. */
  @ApiProperty({ type: [GenerationAttempt], nullable: true })
  attempts: GenerationAttempt[] | null;

  /** Whether the price is the highest of the model's family, because its own is not known. */
  @ApiProperty()
  price_assumed: boolean;

  /** Empty for a call that was not billed. */
  @ApiProperty({ type: [PriceLine] })
  price_lines: PriceLine[];

  @ApiProperty({ type: LatencyParts })
  latency_parts: LatencyParts;
}

@ResponseExample(GENERATION_DETAILS_EXAMPLE)
export class GenerationDetailsResponse {
  @ApiProperty({ type: GenerationDetails })
  data: GenerationDetails;
}
