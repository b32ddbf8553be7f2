import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

class TranscriptionUsage {
  /** Billed seconds, only for models that are priced by seconds. */
  @ApiPropertyOptional({ type: Number })
  readonly seconds?: number;

  /** Only for models that are priced by tokens. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly input_tokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  readonly output_tokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  readonly total_tokens?: number;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;
}

const OPEN = { type: 'object', additionalProperties: true } as const;

/** The transcribed text. */
@ResponseExample({ text: 'Good morning.', usage: { seconds: 2, cost: 0.0002 } })
export class TranscriptionResponse {
  @ApiProperty({ type: String })
  readonly text: string;

  @ApiPropertyOptional({ type: String, example: 'transcribe' })
  readonly task?: string;

  @ApiPropertyOptional({ type: String, example: 'english' })
  readonly language?: string;

  /** The duration in seconds. */
  @ApiPropertyOptional({ type: Number })
  readonly duration?: number;

  /** Sentences or phrases with their start and end in seconds. */
  @ApiPropertyOptional({
    type: 'array',
    items: {
      ...OPEN,
      required: ['id', 'start', 'end', 'text'],
      properties: {
        id: { type: 'integer' },
        start: { type: 'number' },
        end: { type: 'number' },
        text: { type: 'string' },
      },
    },
  })
  readonly segments?: readonly object[];

  @ApiPropertyOptional({
    type: 'array',
    items: {
      ...OPEN,
      required: ['word', 'start', 'end'],
      properties: { word: { type: 'string' }, start: { type: 'number' }, end: { type: 'number' } },
    },
  })
  readonly words?: readonly object[];

  @ApiProperty({ type: TranscriptionUsage })
  readonly usage: TranscriptionUsage;
}
