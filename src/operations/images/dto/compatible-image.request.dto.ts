import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';

const QUALITIES = ['auto', 'low', 'medium', 'high', 'standard', 'hd'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const BACKGROUNDS = ['auto', 'transparent', 'opaque'] as const;

/** The image request of plain OpenAI clients (wire-notes section 3). They send null for what is not set; fields it does not name are ignored. */
export class CompatibleImageRequest {
  /** Image generation model slug of this service. */
  @ApiProperty({ type: String, example: 'builtin/poster' })
  @IsString()
  @MinLength(1)
  model: string;

  @ApiProperty({ type: String, minLength: 1, example: 'A lighthouse above a stormy sea at night' })
  @IsString()
  @MinLength(1)
  prompt: string;

  /** Number of images. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10, nullable: true })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  n?: number | null;

  /** `auto` or pixels as `<width>x<height>`. */
  @ApiPropertyOptional({ type: String, nullable: true, example: '1024x1024' })
  @IsOptional()
  @IsString()
  size?: string | null;

  /** `standard` means medium, `hd` high. */
  @ApiPropertyOptional({ type: String, enum: QUALITIES, nullable: true })
  @IsOptional()
  @IsIn(QUALITIES)
  quality?: (typeof QUALITIES)[number] | null;

  /** Answers hold the images themselves, never URLs. */
  @ApiPropertyOptional({ type: String, enum: ['b64_json'], nullable: true })
  @IsOptional()
  @Equals('b64_json', { message: 'response_format must be b64_json: images are answered in the body, never as URLs' })
  response_format?: 'b64_json' | null;

  @ApiPropertyOptional({ type: String, enum: BACKGROUNDS, nullable: true })
  @IsOptional()
  @IsIn(BACKGROUNDS)
  background?: (typeof BACKGROUNDS)[number] | null;

  @ApiPropertyOptional({ type: String, enum: FORMATS, nullable: true })
  @IsOptional()
  @IsIn(FORMATS)
  output_format?: (typeof FORMATS)[number] | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 100, nullable: true })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  output_compression?: number | null;

  /** Streams partial images as server-sent events where the provider can. */
  @ApiPropertyOptional({ type: Boolean, nullable: true })
  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  /** The end user's tracking id, recorded with the call. */
  @ApiPropertyOptional({ type: String, maxLength: 256, nullable: true })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  user?: string | null;
}
