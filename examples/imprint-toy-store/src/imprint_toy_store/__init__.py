"""A vector backend for Imprint that keeps everything in memory."""
