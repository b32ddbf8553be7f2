import { ApiProperty } from '@nestjs/swagger';
import { IsString, MinLength } from 'class-validator';

export class GenerationRequest {
  /** The id in the header X-Generation-Id. */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @MinLength(1)
  id: string;
}
