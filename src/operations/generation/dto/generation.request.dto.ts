import { ApiProperty } from '@nestjs/swagger';
import { IsString, MinLength } from 'class-validator';

export class GenerationRequest {
  /** The id that X-Generation-Id carried. */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @MinLength(1)
  id: string;
}
