import { ApiProperty } from '@nestjs/swagger';
import { CompatibleImageRequest } from './compatible-image.request.dto.js';

/** The form with which plain OpenAI clients edit images. Unknown parts are ignored; a mask is refused. */
export class ImageEditForm extends CompatibleImageRequest {
  /** The reference images, as files in parts named `image` or `image[]`. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 16 })
  image: string[];
}
