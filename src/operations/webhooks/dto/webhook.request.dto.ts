import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsEmail, IsIn, IsObject, IsOptional } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../../events/event-types.js';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { OptionalBoolean, OptionalEnum } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_URL_CHARACTERS = 2048;
const MAX_EVENTS = 32;
const MAX_ADDRESS_CHARACTERS = 254;
export const WIRE_FORMATS = ['signed', 'otlp', 'slack', 'discord', 'teams', 'email'] as const;
export type WireFormat = (typeof WIRE_FORMATS)[number];
/** The former name of `signed`. */
const FORMER_FORMAT = 'standard';
const FORMATS = [...WIRE_FORMATS, FORMER_FORMAT] as const;

/** The receiver and the types of the events. */
@RequestExamples({
  limits: {
    summary: 'Limits of keys and credits',
    value: { url: 'https://example.com/webhooks/gatehouse', events: ['key.limit.threshold', 'credits.low'] },
  },
  slack: {
    summary: 'Alerts to a channel of Slack',
    value: {
      format: 'slack',
      url: 'https://hooks.slack.com/services/T000/B000/XXXX',
      events: ['key.limit.threshold', 'budget.refused', 'credits.low', 'endpoint.unhealthy'],
    },
  },
  email: {
    summary: 'Alerts by e-mail',
    value: { format: 'email', to: 'oncall@example.com', events: ['credits.low', 'intern.failed'] },
  },
  export: {
    summary: 'Records of calls as OTLP logs',
    value: { url: 'https://otel.example.com/v1/logs', events: ['generation.completed'], format: 'otlp' },
  },
})
@NoAdditionalFields()
export class CreateWebhookRequest {
  /**
   * An https URL on the public network, without credentials. Redirects are not followed. Required for all formats
   * except `email`. The URL of a chat (`slack`, `discord`, `teams`) is a credential, so responses contain only a part
   * of it.
   */
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_URL_CHARACTERS,
    example: 'https://example.com/webhooks/gatehouse',
  })
  @IsOptionalField()
  @IsText({ min: 1, max: MAX_URL_CHARACTERS })
  url?: string;

  /** The mail address for the format `email`. */
  @ApiPropertyOptional({ format: 'email', maxLength: MAX_ADDRESS_CHARACTERS, example: 'oncall@example.com' })
  @IsOptionalField()
  @MaxCharacters(MAX_ADDRESS_CHARACTERS)
  @IsEmail()
  to?: string;

  /**
   * The types of events to send. `generation.completed` sends the records of calls in batches, only with the formats
   * `signed` and `otlp`.
   */
  @ApiProperty({ type: 'array', minItems: 1, maxItems: MAX_EVENTS, items: { type: 'string', enum: [...EVENT_TYPES] } })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  @IsIn(EVENT_TYPES, { each: true })
  events: EventType[];

  /**
   * `signed`: Standard Webhooks; `standard` is its former name. `otlp`: logs of OTLP over HTTP in JSON, sent to exactly
   * this URL. `slack`, `discord`, `teams`: messages to an incoming webhook of the chat. `email`: mails to `to`; returns
   * 409 if the operator has not configured a mail server.
   */
  @OptionalEnum(FORMATS, { byDefault: 'signed' })
  format?: (typeof FORMATS)[number];

  /**
   * Additional headers of each delivery, such as the receiver's authorization. They are never returned. An update
   * replaces all headers; null removes them.
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, nullable: true, writeOnly: true })
  @IsOptional()
  @IsObject()
  headers?: object | null;
}

/** The changes of a webhook; absent = unchanged. */
@RequestExamples({
  enabled: { summary: 'Enable again', value: { disabled: false } },
  events: { summary: 'Other events', value: { events: ['intern.failed'] } },
})
@NoAdditionalFields()
export class UpdateWebhookRequest extends PartialType(OmitType(CreateWebhookRequest, ['format'] as const), {
  skipNullProperties: false,
}) {
  /** A disabled webhook gets no new events. Due events are sent when it is enabled again. */
  @OptionalBoolean()
  disabled?: boolean;
}
