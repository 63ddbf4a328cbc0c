/**
 * Differences between the answers of a released version and those of the present one after an upgrade that are meant.
 * Each has its reason; a change that no operator, app or reader could miss belongs into CHANGELOG.md as well.
 */
export const acceptedDifferences: readonly {
  /** The version whose answers differ. */
  version: string
  /** Names of questions. */
  of: RegExp
  /** The difference, as `differences` words it. */
  is: RegExp
  because: string
}[] = [
  {
    version: '0.1.0',
    of: /^settings$/,
    is: /^json\.version: /,
    because: 'the version names the program and its build',
  },
  {
    version: '0.1.0',
    of: /^all tracks of an event as an archive$/,
    is: /^json\.tracks\.csv: /,
    because: 'the list of tracks has the names of runners, too',
  },
  {
    version: '0.1.0',
    of: /^all tracks of an event as an archive$/,
    is: /^json\..+\.geojson: /,
    because: 'tracks as GeoJSON have their climbs; a download of one track compares the rest',
  },
  {
    version: '0.1.0',
    of: /^(the page of a share: event|an embedded share)$/,
    is: /^line "Sortie du \d+ .+ à \d\dh\d\d" is gone$/,
    because: 'a page shows a generated title in the language of the reader',
  },
  {
    version: '0.1.0',
    of: /^the page of a share: race$/,
    is: /^line "Sortie du /,
    because: 'a track goes by its runner on the start list',
  },
  {
    version: '0.1.0',
    of: /^the page of a share: race$/,
    is: /^line "(\d in progress|\d+\.\d+, \d+\.\d+|·|No signal since .+)" is gone$/,
    because: 'runners of a race are listed by their places, without coordinates',
  },
  {
    version: '0.1.0',
    of: /^oEmbed$/,
    is: /^json\.height: \d+ instead of \d+$/,
    because: 'the height of a frame counts the toolbar below the page',
  },
  {
    version: '0.1.0',
    of: /^an unpublished page$/,
    is: /^line "Trackpress" is gone$/,
    because: 'a page about nothing to read names no program, since publishers have shelves under their own names',
  },
  {
    version: '0.1.0',
    of: /./,
    is: /^json\.(tracks\[\d+\]\.)?(computed_|shown_)?stats\.method\.version: /,
    because: 'climbs and maximum speeds are computed by another method',
  },
  {
    version: '0.1.0',
    of: /./,
    is: /^json\.(.*stats\.max_speed_mps: |extremes\.max_speed_mps\.|provenance\[\d+\]\.explanation: "Highest plausible speed )/,
    because: 'without speeds of the receiver, the maximum is that of a smooth path',
  },
  {
    version: '0.1.0',
    of: /^(merged|loose), for operators$/,
    is: /^json\.provenance\[\d+\]\.explanation: "From the altitudes that climbs are counted in, as sent: /,
    because: 'the explanation says what the altitudes are above',
  },
  {
    version: '0.1.0',
    of: /^(oEmbed|a publication, for operators)$/,
    is: /^json\.(embed_)?html: /,
    because: 'an embedded frame is as high as its page at the width that it gets',
  },
]

/**
 * Changes of the schema by which instances of a version fail or wait beside those of the next one, and which are meant.
 */
export const acceptedChanges: readonly { version: string; is: RegExp; because: string }[] = [
  {
    version: '0.1.0',
    is: /^publications\.versions_to_(recognize|reread) locks /,
    because: 'versions has a row for each file; the index of 100,000 is made within a second',
  },
]
