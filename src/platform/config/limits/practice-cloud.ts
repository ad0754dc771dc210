// Limits of the practice cloud and of its servers.
import { MIB } from './units';

/** Servers of the Compute API. */
export const SERVER_LIMITS = Object.freeze({
  /** Servers of one request, each with a row and an action. */
  serversPerRequest: 1_000,
  /** Metadata and tags of one server. */
  metadataKeys: 128,
  tags: 50,
  /** Entries per list in a request for a server: networks, groups, block devices, files. */
  listedPerServer: 64,
  /** Texts that are accepted and discarded: user data, files. */
  guestTextCharacters: 65_535,
});

/** The practice cloud. */
export const PRACTICE_CLOUD_LIMITS = Object.freeze({
  /** Names of users and projects that a token is issued for. */
  nameCharacters: 255,
  /**
   * Bytes of one image that are accepted, counted and discarded: the largest number that columns and clients represent.
   */
  imageBytes: 1_024 * 1_024 * MIB,
  imageTags: 128,
  /** Virtual hosts of one command: each is reported every few seconds. */
  virtualHosts: 1_000,
});
