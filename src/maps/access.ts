import type { AccessRules } from '#platform/credentials/operator-rule.ts'

/** Rules of access to the map. Its tiles are public, as the pages that show them are. */
export const mapsAccess: AccessRules = {
  Map: {
    getMapSettings: { role: 'owner', effect: 'reads' },
    updateMap: { role: 'owner', effect: 'publishes' },
    uploadMapFile: { role: 'owner', effect: 'changes' },
    deleteMapFile: { role: 'owner', effect: 'erases' },
  },
}
