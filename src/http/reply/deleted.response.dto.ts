import { ApiProperty } from '@nestjs/swagger';

export class DeletedResponse {
  @ApiProperty({ enum: [true] })
  deleted: true;
}
