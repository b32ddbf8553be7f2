import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsEmail, IsIn, IsObject, IsOptional } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../../events/event-types.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_URL_CHARACTERS = 2048;
const MAX_EVENTS = 32;
const MAX_ADDRESS_CHARACTERS = 254;
export const WIRE_FORMATS = ['signed', 'otlp', 'slack', 'discord', 'teams', 'email'] as const;
export type WireFormat = (typeof WIRE_FORMATS)[number];
/** The former name of `signed`. */
const FORMER_FORMAT = 'standard';
const FORMATS = [...WIRE_FORMATS, FORMER_FORMAT] as const;
const TO_SCHEMA = { format: 'email', maxLength: MAX_ADDRESS_CHARACTERS, example: 'oncall@example.com' };
const URL_SCHEMA = { minLength: 1, maxLength: MAX_URL_CHARACTERS, example: 'https://example.com/webhooks/gatehouse' };
const EVENTS_SCHEMA = {
  type: 'array' as const,
  minItems: 1,
  maxItems: MAX_EVENTS,
  items: { type: 'string' as const, enum: [...EVENT_TYPES] },
};
const HEADERS_SCHEMA = {
  type: 'object',
  additionalProperties: { type: 'string' },
  nullable: true,
  writeOnly: true,
} as const;

/** The receiver and the types of the events. */
@NoAdditionalFields()
export class CreateWebhookRequest {
  /**
   * An https URL on the public network, without credentials. Redirects are not followed. Required for all formats
   * except `email`. The URL of a chat (`slack`, `discord`, `teams`) is a credential: responses contain only a part of
   * it.
   */
  @ApiPropertyOptional(URL_SCHEMA)
  @IsOptionalField()
  @IsText({ min: 1, max: MAX_URL_CHARACTERS })
  url?: string;

  /** The mail address for the format `email`. */
  @ApiPropertyOptional(TO_SCHEMA)
  @IsOptionalField()
  @MaxCharacters(MAX_ADDRESS_CHARACTERS)
  @IsEmail()
  to?: string;

  /**
   * The types of events to send. `generation.completed` sends the records of calls in batches, only with the formats
   * `signed` and `otlp`.
   */
  @ApiProperty(EVENTS_SCHEMA)
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
  @ApiPropertyOptional({ enum: FORMATS, default: 'signed' })
  @IsOptionalField()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];

  /** Additional headers of each delivery, such as the receiver's authorization. They are never returned. */
  @ApiPropertyOptional(HEADERS_SCHEMA)
  @IsOptional()
  @IsObject()
  headers?: object | null;
}

/** The changes of a webhook; absent = unchanged. */
@NoAdditionalFields()
export class UpdateWebhookRequest {
  @ApiPropertyOptional(URL_SCHEMA)
  @IsOptionalField()
  @IsText({ min: 1, max: MAX_URL_CHARACTERS })
  url?: string;

  @ApiPropertyOptional(TO_SCHEMA)
  @IsOptionalField()
  @MaxCharacters(MAX_ADDRESS_CHARACTERS)
  @IsEmail()
  to?: string;

  @ApiPropertyOptional(EVENTS_SCHEMA)
  @IsOptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  @IsIn(EVENT_TYPES, { each: true })
  events?: EventType[];

  /** A disabled webhook gets no new events. Due events are sent when it is enabled again. */
  @ApiPropertyOptional()
  @IsOptionalField()
  @IsBoolean()
  disabled?: boolean;

  /** Replaces all headers; null removes them. */
  @ApiPropertyOptional(HEADERS_SCHEMA)
  @IsOptional()
  @IsObject()
  headers?: object | null;
}
