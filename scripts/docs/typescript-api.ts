import { ts } from '@ts-morph/common'

// biome-ignore lint/style/noDefaultExport: stands in for the package `typescript`, whose default export this is.
export default ts
