import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import { CompatibleImagesController } from './compatible-images.controller.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

/** Lets a caller generate images from a text prompt, and edit images with one. */
@Module({
  imports: [FilesModule],
  controllers: [ImagesController, CompatibleImagesController],
  providers: [ImagesService, PublicAddress],
})
export class ImagesModule {}
