/** A position as an app sent it: the device's own id, if the app sends one, and a point that is not checked yet. */
export type PhoneFix = { deviceId: string | undefined; point: PhonePoint }

/**
 * The fields of a point, by their names in the API. Undefined fields are absent; wrong ones are for the check to find.
 */
type PhonePoint = {
  latitude: unknown
  longitude: unknown
  timestamp: unknown
  altitude?: number | undefined
  accuracy?: number | undefined
  speed_mps?: number | undefined
  heading?: number | undefined
  battery?: number | undefined
}

/** A request of an app: its query as sent, its body, and its headers with names in lower case. */
export type PhoneRequest = {
  query: string
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Returns the positions of a request, in any order. @throws badRequest for a body that cannot be read */
export type ReadFixes = (request: PhoneRequest) => PhoneFix[]
