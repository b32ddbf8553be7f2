import { ApiProperty, OmitType } from '@nestjs/swagger';
import { CHOICE_REASONS, PASS_REASONS, type ChoiceReason, type PassReason } from '../../../kernel/call-facts.js';
import { GenerationListItem } from './generations.response.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { GENERATION_DETAILS_EXAMPLE } from './generations.examples.js';

/** Why a call or an attempt failed. */
export class CallError {
  /** The provider's own code; if the provider sent none, the kind of failure. */
  @ApiProperty({ example: 'provider_failed' })
  code: string;

  /** This service's own message, at most 256 characters. Messages of providers are not recorded. */
  @ApiProperty({ example: 'The provider failed to answer this request' })
  message: string;
}

/** A credential with which calls reach a provider. */
class CredentialReference {
  /** The id of a platform credential (`env:<slug>`: from the environment) or of a credential of the account. */
  @ApiProperty()
  id: string;

  /** Null if the credential has no name, is the account's own, or was deleted. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /** Masked rendering of the key; null in the same cases as `name`. */
  @ApiProperty({ type: String, nullable: true, example: 'sk-...AbCd' })
  label: string | null;
}

/** A credential that was not used, or was tried later than others. */
export class PassedCredential extends CredentialReference {
  /**
   * `rate_limited`, `exhausted`, `refused`, `unknown_model`: because of an earlier response of the vendor. `cap`: a
   * limit of the credential was reached. `budget`: a budget was used up. `address`: an earlier attempt of the call
   * failed at the same address. `unhealthy`: earlier calls to the endpoint failed.
   */
  @ApiProperty({ enum: PASS_REASONS })
  reason: PassReason;
}

/** The credential of an attempt. */
export class AttemptCredential extends CredentialReference {
  /**
   * `only`: no other credential could be used. `own_key`: the account's own credentials are used first. `session`: the
   * credential served the session before. `priority`: the credential has the lowest value of `priority`. `weight`: the
   * credential was chosen at random within one priority. `next`: earlier credentials failed or were skipped.
   */
  @ApiProperty({ enum: CHOICE_REASONS })
  reason: ChoiceReason;

  /** The skipped credentials that precede this credential in the order. */
  @ApiProperty({ type: [PassedCredential] })
  passed_over: PassedCredential[];
}

/** One call to one endpoint. */
export class GenerationAttempt {
  @ApiProperty()
  provider_name: string;

  /** The HTTP status that the provider sent; if it sent none, the status that this service assigns to the failure. */
  @ApiProperty({ type: 'integer' })
  status: number;

  @ApiProperty()
  latency: number;

  /** Null if the attempt succeeded, or was recorded by a version that stored no reasons. */
  @ApiProperty({ type: CallError, nullable: true })
  error: CallError | null;

  /** Null if the caller may not read platform credentials, or if the credential was not recorded. */
  @ApiProperty({ type: AttemptCredential, nullable: true })
  credential: AttemptCredential | null;
}

/** A part of the price. The sum of all amounts is `total_cost`, except for rounding. */
export class PriceLine {
  /** The counted item: a class of tokens, `characters`, or `images`; `call` if the parts were not recorded. */
  @ApiProperty({ example: 'prompt' })
  item: string;

  @ApiProperty()
  quantity: number;

  /** The price of one item in USD, as a decimal text; null if only the amount is known. */
  @ApiProperty({ type: String, nullable: true, example: '0.00000125' })
  unit_price: string | null;

  /** USD. */
  @ApiProperty()
  amount: number;
}

/** The duration of the call in parts, in milliseconds. */
export class LatencyParts {
  /** The time of the failed attempts, until the successful attempt started. */
  @ApiProperty()
  failed_attempts: number;

  /** From the start of the successful attempt to the first byte of the response. */
  @ApiProperty()
  first_byte: number;

  /** From the first byte to the end of the response. */
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

  /** The failure that ended the call; null if the call succeeded, or was recorded by a version without reasons. */
  @ApiProperty({ type: CallError, nullable: true })
  error: CallError | null;

  /** The attempts in order; null for image and speech calls that an earlier version recorded. */
  @ApiProperty({ type: [GenerationAttempt], nullable: true })
  attempts: GenerationAttempt[] | null;

  /** Whether the price is the highest in the model's family because the model's own price is unknown. */
  @ApiProperty()
  price_assumed: boolean;

  /** Empty for a call that was not billed. */
  @ApiProperty({ type: [PriceLine] })
  price_lines: PriceLine[];

  @ApiProperty({ type: LatencyParts })
  latency_parts: LatencyParts;
}

@ResponseExample(GENERATION_DETAILS_EXAMPLE)
export class GenerationDetailsResponse extends DataResponse(GenerationDetails) {}
