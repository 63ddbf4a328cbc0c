import type { AccessRules } from '#platform/credentials/operator-rule.ts'

/** Rules of access to accounts, sessions and the whole installation. */
export const operatorAccess: AccessRules = {
  Session: {
    getSession: { role: 'viewer', effect: 'reads', withoutSecondFactor: true },
    listSessions: { role: 'viewer', effect: 'reads' },
    endSession: { role: 'viewer', effect: 'changes' },
    confirmSession: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    getConfirmationMethods: { role: 'viewer', effect: 'reads', withoutSecondFactor: true },
    createConfirmationOptions: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    confirmWithProvider: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    confirmWithProviderAddress: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    changePassword: { role: 'viewer', effect: 'changes' },
  },
  'Second factors': {
    listSecondFactors: { role: 'viewer', effect: 'reads', withoutSecondFactor: true },
    createAuthenticatorApp: { role: 'viewer', effect: 'admits', withoutSecondFactor: true },
    addAuthenticatorApp: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    deleteAuthenticatorApp: { role: 'viewer', effect: 'erases' },
    replaceRecoveryCodes: { role: 'viewer', effect: 'admits' },
    listPasskeys: { role: 'viewer', effect: 'reads', withoutSecondFactor: true },
    createPasskeyOptions: { role: 'viewer', effect: 'admits', withoutSecondFactor: true },
    createPasskey: { role: 'viewer', effect: 'changes', withoutSecondFactor: true },
    updatePasskey: { role: 'viewer', effect: 'changes' },
    deletePasskey: { role: 'viewer', effect: 'erases' },
  },
  Operators: {
    listOperators: { role: 'owner', effect: 'reads' },
    createOperator: { role: 'owner', effect: 'admits' },
    updateOperator: { role: 'owner', effect: 'admits' },
    deleteOperator: { role: 'owner', effect: 'erases' },
    createSignInLink: { role: 'owner', effect: 'admits' },
  },
  'Audit log': {
    listAuditRecords: { role: 'owner', effect: 'reads' },
    exportAuditLog: { role: 'owner', effect: 'exports' },
  },
  Installation: {
    getSettings: { role: 'viewer', effect: 'reads', withoutSecondFactor: true },
    getUpkeep: { role: 'owner', effect: 'reads' },
    confirmClock: { role: 'owner', effect: 'erases' },
    listJobs: { role: 'owner', effect: 'reads' },
    runJob: { role: 'owner', effect: 'changes' },
  },
}
