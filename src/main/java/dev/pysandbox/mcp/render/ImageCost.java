package dev.pysandbox.mcp.render;

import java.nio.ByteBuffer;

/**
 * The work and memory that decoding an image needs, computed from its headers before anything is decoded.
 *
 * @param work bytes that the decoder produces in all passes over the image
 * @param memory bytes that the decoder holds besides the scaled image
 */
record ImageCost(long work, long memory) {
    private static final long MOST_WORK = 400_000_000;
    private static final long MOST_MEMORY = 48 << 20;

    /** A PNG decoder holds four rows: as read, unfiltered, the row above, and as pixels. */
    private static final int ROWS = 6;

    static ImageCost of(String mimeType, byte[] content, ImageSize size) {
        try {
            return switch (mimeType) {
                case "image/png" -> png(content, size);
                case "image/jpeg" -> jpeg(content, size);
                default -> new ImageCost(size.pixels(), (long) size.width() * ROWS);
            };
        } catch (IndexOutOfBoundsException e) { // truncated, so there is little to decode
            return new ImageCost(size.pixels(), 0);
        }
    }

    boolean isAffordable() {
        return work <= MOST_WORK && memory <= MOST_MEMORY;
    }

    private static ImageCost png(byte[] content, ImageSize size) {
        int depth = content[24];
        int channels = switch (content[25]) {
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> 1;
        };
        long row = ((long) size.width() * channels * depth + 7) / 8;
        return new ImageCost(row * size.height(), row * ROWS);
    }

    /**
     * If one scan has all components, a decoder holds a few rows. Otherwise it holds the coefficients of the whole
     * image, two bytes each, and processes all of them in each scan.
     */
    private static ImageCost jpeg(byte[] content, ImageSize size) {
        ByteBuffer data = ByteBuffer.wrap(content);
        int at = 2;
        long samples = 3 * size.pixels();
        int components = 3;
        boolean progressive = false;
        while ((content[at] & 0xff) == 0xff && (content[at + 1] & 0xff) != 0xda) {
            int marker = content[at + 1] & 0xff;
            if (ImageSize.isFrame(marker)) {
                samples = samples(content, at, size);
                components = content[at + 9] & 0xff;
                progressive = (marker & 3) == 2; // C2, C6, CA, CE
            }
            at += marker == 0xff ? 1 : 2 + (data.getShort(at + 2) & 0xffff);
        }
        int scans = scans(content, at);
        boolean interleaved = (content[at + 4] & 0xff) >= components;
        return scans <= 1 && interleaved && !progressive
                ? new ImageCost(samples, (long) size.width() * 4 * ROWS)
                : new ImageCost(samples * Math.max(1, scans) * 2, samples * 2);
    }

    /** Counts samples in blocks of 8 x 8; components may be subsampled. */
    private static long samples(byte[] content, int frame, ImageSize size) {
        int components = content[frame + 9] & 0xff;
        int across = 1;
        int down = 1;
        for (int i = 0; i < components; i++) {
            across = Math.max(across, content[frame + 11 + 3 * i] >> 4 & 0xf);
            down = Math.max(down, content[frame + 11 + 3 * i] & 0xf);
        }
        long samples = 0;
        for (int i = 0; i < components; i++) {
            long width = (long) size.width() * (content[frame + 11 + 3 * i] >> 4 & 0xf) / across + 8;
            long height = (long) size.height() * (content[frame + 11 + 3 * i] & 0xf) / down + 8;
            samples += width * height;
        }
        return samples;
    }

    /** Counts the markers that start a scan; these bytes can't occur in the data of a scan. */
    private static int scans(byte[] content, int from) {
        int scans = 0;
        for (int i = from; i + 1 < content.length; i++) {
            if ((content[i] & 0xff) == 0xff && (content[i + 1] & 0xff) == 0xda) {
                scans++;
            }
        }
        return scans;
    }
}
