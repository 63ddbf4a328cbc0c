import type { security as english } from '../../en/administration/security.ts'
import type { TextsOf } from '../../en/texts-of.ts'

/** The second factor of a sign-in, and the security of the signed-in operator’s account. */
export const security: TextsOf<typeof english> = {
  'secondFactor.title': 'Deuxième étape',
  'secondFactor.help': 'Saisissez le code affiché par votre application d’authentification.',
  'secondFactor.recoveryHelp':
    'Sans l’application, saisissez l’un de vos codes de secours. Chacun ne fonctionne qu’une fois.',
  'secondFactor.code': 'Code',
  'secondFactor.recoveryCode': 'Code de secours',
  'secondFactor.submit': 'Continuer',
  'secondFactor.useRecovery': 'Utiliser un code de secours',
  'secondFactor.useApp': 'Utiliser l’application d’authentification',
  'secondFactor.startOver': 'Recommencer',
  'secondFactor.wrong': 'Le code est incorrect ou a déjà été utilisé. Attendez le suivant et réessayez.',
  'secondFactor.wrongRecovery': 'Le code de secours est incorrect ou a déjà été utilisé.',
  'secondFactor.ended': 'Le délai est dépassé. Recommencez avec votre mot de passe.',
  'secondFactor.usePasskey': 'Utiliser une clé d’accès',
  'secondFactor.passkeyHelp':
    'Utilisez l’une de vos clés d’accès, par exemple celle de cet appareil, de votre téléphone ou une clé de sécurité.',
  'secondFactor.lost':
    'Vous avez perdu les deux ? La personne qui gère le serveur peut retirer la deuxième étape avec la commande d’administration operators reset-factors.',

  'requiredFactor.title': 'Configurez une deuxième étape',
  'requiredFactor.help':
    'Ce serveur exige une deuxième étape à la connexion. Avant de continuer, configurez une application d’authentification ou une clé d’accès.',
  'requiredFactor.continue': 'Continuer vers le tableau de bord',
  'requiredFactor.removeHelp':
    'Ce serveur exige une deuxième étape. Sans une autre, vous devrez en configurer une de nouveau avant de pouvoir continuer.',

  'security.title': 'Deuxième étape à la connexion',
  'security.explanation': 'Avec une deuxième étape, un mot de passe volé ne suffit pas pour se connecter.',
  'security.app': 'Application d’authentification',
  'security.appHelp': 'Une application de votre téléphone affiche un nouveau code toutes les 30 secondes.',
  'security.appSince': 'Configurée le {{time}}',
  'security.appAdd': 'Configurer',
  'security.appAddThis': 'Configurer une application d’authentification',
  'security.appRemove': 'Retirer',
  'security.appRemoveThis': 'Retirer l’application d’authentification',
  'security.appRemoveHelp':
    'Votre mot de passe suffira alors pour vous connecter et vos codes de secours ne fonctionneront plus.',
  'security.appRemoved': 'Application d’authentification retirée',
  'security.appAdded': 'Application d’authentification configurée',
  'security.appScan': 'Scannez ce code avec votre application d’authentification.',
  'security.appQr': 'Code QR pour votre application d’authentification',
  'security.appSecret': 'Ou saisissez cette clé dans l’application :',
  'security.appSecretCopy': 'Copier la clé',
  'security.appCode': 'Code de l’application',
  'security.appConfirm': 'Confirmer',
  'security.appWrong': 'Le code est incorrect. Vérifiez que votre téléphone est à l’heure et essayez le code suivant.',
  'security.appEnded': 'Cette configuration a expiré. Fermez cette fenêtre et recommencez.',
  'provider.signIn': 'Se connecter avec l’authentification unique',
  'provider.title': 'Connexion',
  'provider.noRole':
    'Votre compte n’a pas d’accès ici. Demandez à la personne qui gère le serveur de vous ajouter à un groupe autorisé.',
  'provider.refused': 'La connexion a été annulée, ou la réponse du fournisseur n’est pas valable. Réessayez.',
  'provider.ended': 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Réessayez.',
  'provider.unavailable':
    'Le service de connexion ne répond pas. Réessayez bientôt ou utilisez votre mot de passe ou une clé d’accès.',
  'provider.notConfirmed':
    'La connexion n’a pas été redemandée ou a été faite avec un autre compte. Réessayez avec votre propre compte.',
  'provider.opensTab': 'S’ouvre dans un nouvel onglet. Cette page continue ensuite d’elle-même.',
  'provider.confirmed': 'Identité confirmée. Fermez cet onglet et revenez au précédent.',
  'provider.again': 'Réessayer',
  'passkey.signIn': 'Se connecter avec une clé d’accès',
  'passkey.or': 'ou',
  'passkey.wrong': 'Cette clé d’accès est inconnue ici. Elle a peut-être été retirée de votre compte.',
  'passkey.cancelled': 'Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez un autre moyen.',
  'passkey.exists': 'Cet appareil a déjà une clé d’accès pour votre compte.',
  'passkey.wrongSite':
    'Les clés d’accès ne fonctionnent pas à l’adresse {{address}}. Ouvrez le tableau de bord à l’adresse définie pour le serveur.',
  'passkey.impossible': 'Ce navigateur ou cet appareil ne peut pas créer une telle clé d’accès.',
  'passkey.title': 'Clés d’accès',
  'passkey.help':
    'Connectez-vous avec votre doigt, votre visage ou un code PIN au lieu du mot de passe. Une clé d’accès est aussi une deuxième étape : dès lors, le mot de passe seul ne suffit plus.',
  'passkey.unavailable':
    'Les clés d’accès exigent une adresse en https ou localhost. La personne qui gère le serveur la définit avec BASE_URL.',
  'passkey.add': 'Ajouter une clé d’accès',
  'passkey.name': 'Nom',
  'passkey.nameHelp': 'Pour la reconnaître plus tard, par exemple « Ordinateur » ou « Téléphone ».',
  'passkey.create': 'Créer la clé d’accès',
  'passkey.added': 'Clé d’accès ajoutée',
  'passkey.since': 'Ajoutée le {{time}}',
  'passkey.lastUsed': 'dernière utilisation',
  'passkey.neverUsed': 'pas encore utilisée',
  'passkey.rename': 'Renommer',
  'passkey.renameThis': 'Renommer {{name}}',
  'passkey.renameSubmit': 'Enregistrer le nom',
  'passkey.renamed': 'Clé d’accès renommée',
  'passkey.remove': 'Retirer',
  'passkey.removeThis': 'Retirer {{name}}',
  'passkey.removeHelp': 'Elle ne permettra plus de vous connecter. Supprimez-la aussi sur votre appareil.',
  'passkey.removed': 'Clé d’accès retirée',
  'security.codes': 'Codes de secours',
  'security.codesLeft_one': 'Il reste {{count}} code. Il remplace la deuxième étape une fois.',
  'security.codesLeft_many': 'Il reste {{count}} codes. Chacun remplace la deuxième étape une fois.',
  'security.codesLeft_other': 'Il reste {{count}} codes. Chacun remplace la deuxième étape une fois.',
  'security.codesReplaceThis': 'Nouveaux codes de secours',
  'security.codesReplaceHelp': 'Vos codes actuels ne fonctionneront plus.',
  'security.codesShown':
    'Gardez ces codes dans un endroit accessible sans votre téléphone. Chacun vous connecte une fois. Ils ne seront plus affichés.',
  'security.codesCopy': 'Copier les codes',
  'security.codesDownload': 'Télécharger',
  'security.codesSaved': 'J’ai conservé les codes',
}
