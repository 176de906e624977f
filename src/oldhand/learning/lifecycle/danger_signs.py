"""How orders to a model, secrets and personal data are written, in the languages that people use at work."""

import re

# ruff: noqa: RUF001 (signs of other alphabets)

_OVERRIDE = r"(?:ignor\w*|disregard\w*|forget\w*|overrid\w*|overrul\w*|bypass\w*|skip|drop|discard\w*|neglect\w*|override|circumvent\w*|vergiss|ignorier\w*|ignora\w*|olvida\w*|oublie\w*)"
_WHAT = r"(?:instruct\w*|rules?|prompts?|guidelines?|polic(?:y|ies)|directions?|commands?\b|orders\s+(?:you|above|from\s+the\s+system)|constraints?|restrictions?|safety|safeguards?|guardrails?|(?:everything|all|anything)\s+(?:above|before|you)|the\s+above|anweisungen|regeln|instruccion\w*|reglas|consignes|(?:what|all)\s+(?:you|was)\s+\w+\s*(?:told|said))"
_ENGLISH = (
    rf"\b{_OVERRIDE}\b[^.\n]{{0,60}}?\b{_WHAT}",
    r"\b(?:do\s+not|don.?t|never|stop)\s+(?:follow|obey|appl|respect|listen)\w*[^.\n]{0,40}\b(?:instruct\w*|rules?|prompts?|guidelines?|owner|system)",
    r"\b(?:you\s+are|you.?re)\s+now\b|\bfrom\s+now\s+on\b\W+(?:you|ignore|disregard|act|pretend|your|obey|reply|respond|say)\b|\bact\s+as\b|\bpretend\b|\brole\s*-?play\b|\bnew\s+(?:system\s+)?(?:instruct\w*|prompt|persona|task|role)\b",
    r"\b(?:hidden|initial|original|developer|your|secret)\s+(?:system\s+)?(?:prompt|message|instruct\w*)\b",
    r"\b(?:developer|debug|god|admin(?:istrator)?|root|jailbreak|dan|unrestricted|maintenance)[\s-]+mode\b|\bjailbreak\w*|\bdo\s+anything\s+now\b",
    r"(?:^[^\S\n\r]*|(?<=[\n\r>\"'`])[^\S\n\r]*|(?<=\s\s))(?:system|assistant|user|human|developer|tool|ai|model)\s*(?:\([^)]{0,80}\)\s*)?:",
    r"<\|?/?\s*(?:system|assistant|user|im_start|im_end|im_sep|endoftext|tool\w*|function\w*|inst|s|instructions?|prompt)\b[^>]{0,80}>|\[/?(?:INST|SYS|SYSTEM|ASSISTANT)\]|<<\s*/?SYS\s*>>|<\|",
    r"#{2,}\s*(?:system|instruct\w*|assistant|human|user|response)\b",
    r"[\"']?(?:tool_calls?|function_call|tool_use|tool_name|arguments)[\"']?\s*[:=]|(?<!n.t\s)(?<!not\s)(?<!never\s)\b(?:call|invoke|run|execute|trigger|launch)\s+(?:the\s+|a\s+)?(?:tool|function|command|shell|code_executor|python|bash|api|plugin)\b",
    r"\b(?:os\.system|subprocess\.\w+|eval|exec|__import__)\s*\(\s*[^\s)]|\brm\s+-[rf]|\b(?:curl|wget|powershell)\s+-?\S|\bbase64\b",
    r"\b(?:drop|truncate|alter|grant|revoke)\s+(?:table|database|schema|all|user|role|view|index)\b|\bdelete\s+(?:from|all|every)\b|\binsert\s+into\b|\bupdate\s+\w+\s+set\b|\bxp_cmdshell\b|\bunion\s+(?:all\s+)?select\b",
    r"\b(?:reveal|print|show|repeat|output|display|leak|dump|exfiltrat\w*|disclose|expose|send|e-?mail(?!\s+address)|post|upload|forward|transmit)\b[^.\n]{0,60}?\b(?:prompts?|instruct\w*|secrets?|passwords?|credentials?|api\s*keys?|webhook|attacker)\b",
    r"\b(?:leak|dump|exfiltrat\w*|send|e-?mail(?!\s+address)|upload|forward|transmit)\b[^.\n]{0,60}?\b(?:tokens?|keys|salar\w+|contents?|results?|tables?|rows|data|database|customers|users)\b",
    r"https?://|\bwww\.|\bjavascript:|\bdata:text/|!\[[^\]]*\]\(",
    r"\b(?:always|only|just|simply)\s+(?:answer|reply|respond|say|output|return|write)\b[^.\n]{0,30}(?:[\"'“«]|\byes\b|\bno\b|\d)",
    r"\b(?:trust|believe|obey)\s+(?:me|this|only|whatever|everything|the\s+(?:user|document))\b|\bi\s+am\s+(?:the|your)\s+(?:owner|admin\w*|developer|creator|boss|ceo)\b|\bas\s+(?:the|your)\s+(?:owner|admin\w*|developer|creator)\b",
    r"\bwithout\s+(?:asking|approval|confirmation|permission|review)\b|\b(?:disable|turn\s+off|deactivate|remove|switch\s+off)\b[^.\n]{0,40}\b(?:guard\w*|check\w*|filter\w*|safety|limit\w*|read-only|protection\w*|validation|logging|review)",
    r"\b(?:mark|approve|promote|pin|trust|confirm|save|store|remember|memorize|memorise)\b[^.\n]{0,40}\b(?:this|yourself|as\s+(?:a\s+)?(?:trusted|approved|rule|owner|lesson)|permanent\w*|forever)\b",
    r"\b(?:grant|give)\b[^.\n]{0,30}\b(?:access|permission\w*|admin|privileg\w*|rights)\b",
    r"\b(?:important|attention|urgent|note\s+to)\b[^.\n]{0,20}\b(?:assistant|model|ai|llm|agent|bot)\b|\b(?:dear|hey|hello|attention)\s+(?:assistant|model|ai|llm|agent|bot)\b",
    r"\b(?:previous|prior|earlier|preceding|former|initial)\s+(?:instruct\w*|directives?|guidance|messages?|prompts?|rules?)\b",
    r"\b(?:everything|anything|all|text|words)\s+above\b|\b(?:translate|summari[sz]e|repeat|execute|ignore)\s+the\s+above\b",
    r"\b(?:respond|reply|answer)\b[^.\n]{0,30}\b(?:only\s+(?:with|in)|with\s+the\s+word|every\s+question|all\s+(?:future\s+)?(?:questions|queries|requests))\b",
    r"\b(?:begin|end|start)\s+(?:of\s+)?(?:the\s+)?(?:system|developer)\s+(?:message|prompt)|`{3}\s*(?:system|assistant|user)\b|\\[nr]\s*(?:system|assistant|human|user)\s*:",
    r"\b(?:no|without|free\s+of|lift|remove|drop)\s+(?:all\s+|any\s+|the\s+|your\s+)?(?:rules|restrictions|limitations|guardrails|safeguards)\b|\bsudo\s+\w",
    r"\b(?:an?\s+)?AI\s+(?:language\s+)?(?:model|assistant|agent|system)\b|\bif\s+you\s+are\s+an?\s+(?:ai|llm|bot|assistant|model)\b|\blanguage\s+model\s+(?:must|should|will)\b",
    r"\byou\s+(?:must|shall|will\s+now|have\s+been|are\s+(?:required|free|allowed|authori[sz]ed|permitted|obliged))\b|\breveal\s+(?:your|the)\s+\w+|\byour\s+(?:configuration|guidelines|restrictions|training)\b",
    r"[A-Za-z0-9+/]{60,}={0,2}|(?:\\x[0-9a-f]{2}){4,}|(?:%[0-9a-f]{2}){6,}",
    r"\b(?:set\s+aside|void|suspended?|lifted|no\s+longer\s+(?:holds?|applies|apply|counts?))\b[^.\n]{0,40}\b(?:guidance|restrictions?|makers?|instruct\w*)|\b(?:guidance|restrictions?|told\s+(?:earlier|before))\b[^.\n]{0,40}\b(?:void|lifted|suspended|no\s+longer)",
    r"\b(?:your|the)\s+new\s+(?:objective|goal|mission|purpose|owner|master)\b|\b(?:coming|came|comes)\s+from\s+(?:your|the)\s+owner\b|\b(?:the\s+)?owner\W{0,3}\s*(?:says|said|wants|decided)\s*:|\brule\s+approved\s+by\b|\bthis\s+(?:document|text|message|page)\s+says\b",
    r"\b(?:quietly|secretly|silently|covertly|without\s+(?:telling|saying|mentioning))\b|\b(?:asks?|wants?|told|tells)\s+(?:that\s+)?you\s+(?:to\s+)?not\b",
    r"\b(?:kill|rest|relax|lower|loosen)\s+(?:the\s+|your\s+|all\s+)?(?:guards?|filters?|checks?)\b|\b(?:guard|filters?|safety)\s+(?:rest|sleep|off)\b|\bskip\s+(?:all|any|the)\s+checks?\b",
    r"\b(?:start|begin|end|close|finish|prefix|append)\b[^.\n]{0,40}\b(?:each|every|all)\s+(?:answers?|repl(?:y|ies)|responses?)\b|\b(?:to|in)\s+(?:each|every)\s+(?:answer|reply|response)\b[^.\n]{0,20}\b(?:append|add|link)",
    r"\b(?:machine|ai|llm|bot)\s+readers?\b|\bfirst\s+message\b|\beverything\s+you\s+(?:know|were|have)\b|\b(?:answer|act|reply|behave|respond)\w*\s+as\s+(?:though|if)\b|\breply\s+\S{1,8}\s+to\s+(?:all|every)",
    r"</\s*[a-z][\w-]*\s*>|<(?:system|rules?|words|feedback|question|answer|prompt|instructions?|preferences|steps|evaluations|notes?|document|tool|user|assistant|admin)>|<(?:script|img|iframe|svg|style|link|meta|object|embed|form|input)\b|<b>|<a\s|<!--|\{\{|\{%|\$\{|^---$|\+ADw-|^\s*\|(?:\s*-+\s*\|)+\s*$",
)  # fmt: skip
_SAID = r"\s*[:,]?\s*(?:[\"'«„“»]|\d|ja\b|nein\b|null\b|oui\b|non\b|zéro\b|que\b|par\b|sí\b|si\b|sì\b|no\b|cero\b|zero\b|да\b|нет\b|ноль\b|что\b|是|否|零)"
_ABROAD = (
    r"\b(?:beachte|befolg\w*|folge|vergiss|vergesst|ignorier\w*|missacht\w*|umgeh\w*|setz\w*\s+dich)\b[^.\n]{0,60}\b(?:vorgaben|richtlinien|regeln|anweisungen|gesagt|diesem\s+text|hinweg)",
    rf"\b(?:ab\s+(?:jetzt|sofort)|von\s+nun\s+an)\b[^.\n]{{0,40}}\b(?:du|gib|antwort\w*|frage)\b|\bdu\s+bist\s+(?:jetzt|nun|ab)\b|\btu\s+so\b|\b(?:antworte|sag|sage|gib)\b[^.\n]{{0,40}}\b(?:immer|stets|nur|jede|mit){_SAID}|\b(?:verrat|zeig)\w*\b[^.\n]{{0,60}}(?:system|prompt|passwor)|\b(?:schick|send)\w*\b[^.\n]{{0,60}}(?:kunden|daten|@)|\blösch\w*\s+(?:die|alle)\b",
    rf"\b(?:ignor\w+|oubli\w+|contourn\w+|désactiv\w+|ne\s+(?:tiens|tenez|suis|respecte)\w*)\b[^.\n]{{0,60}}(?:instruction|consigne|règle|garde-fou|sécurité)|contourn\w+\s+les|(?:à\s+partir\s+de\s+maintenant|dorénavant|désormais)[^.\n]{{0,40}}\b(?:répond|tu|vous|dis)|\btu\s+es\s+(?:désormais|maintenant)|\bfais\s+comme\s+si|\b(?:dis|réponds|répondez)\s+(?:toujours|seulement|uniquement){_SAID}|\brévèle|\benvoie\b|\bsupprime\s+(?:tou|les|la)|\bconsigne\s+approuvée",
    rf"\b(?:ignora\w*|olvida\w*|omit\w*|haz\s+caso\s+omiso|desconsider\w*|esquec\w*|dimentica\w*)\b[^.\n]{{0,60}}(?:instruc|istruzion|regla|regra|regole|lo\s+anterior|acima)|\ba\s+partir\s+de\s+(?:ahora|agora)\b[^.\n]{{0,20}}\b(?:eres|responde|você|tu)\b|\bd.ora\s+in\s+poi\b[^.\n]{{0,20}}\b(?:sei|rispondi)\b|\b(?:finge|fingi|finja)\b|\b(?:responde|rispondi|responda|diga|di)\s+(?:siempre|sempre|solo|só){_SAID}",
    r"\b(?:zignoruj|ignoruj|zapomnij)\b[^.\n]{0,60}(?:polece|instrukc|zasad|regu)|\b(?:negeer|vergeet)\b[^.\n]{0,60}(?:instructies|regels|opdracht)|(?:talimat|kural|yönerge)\w*[^.\n]{0,40}(?:yok\s+say|görmezden\s+gel|unut)",
    rf"(?:игнорир|забуд|не\s+обращай|отмени|обойди|отключ)\w*[^.\n]{{0,60}}(?:инструкц|правил|указан|огранич|защит|проверк)|\bтеперь\s+ты\b|\bотныне\s+ты\b|притвори\w*|(?:всегда|только)\s+(?:отвеча|говори)\w*{_SAID}|отвечай\s+(?:только|всегда){_SAID}|(?:покажи|раскрой|отправь|пришли)\w*[^.\n]{{0,60}}(?:промпт|системн|парол|@)|одобренн\w*\s+правил",
    rf"(?:忽略|无视|無視|忘记|忘記|绕过|不要遵守)[^。\n]{{0,30}}(?:指令|指示|规则|規則|提示)|(?:关闭|關閉)[^。\n]{{0,10}}(?:检查|檢查|保护)|(?:从现在起|從現在起|从现在开始)[^。\n]{{0,4}}你|(?:你现在是|你現在是|请假装|假装你)|(?:总是|總是|永远|只|仅)(?:回答|说|輸出|输出)[^。\n]{{0,4}}{_SAID}|(?:显示|顯示|泄露|告诉我)[^。\n]{{0,20}}(?:系统|系統|提示词|密码)|(?:发送|發送|发到)[^。\n]{{0,30}}@|已批准的?规则|永久记住",
    r"(?:指示|命令|ルール|規則)[^。\n]{0,20}(?:無視|忘れ)|(?:あなたは)?(?:今から|これから)[^。\n]{0,10}(?:管理者|として|になれ)|とだけ(?:答|返)|(?:이전|모든)[^.\n]{0,20}(?:지시|규칙)[^.\n]{0,20}(?:무시|잊)|(?:تجاهل|انس|انسَ)[^.\n]{0,40}(?:تعليمات|قواعد|أوامر)|(?:أنت|انت)\s+الآن|(?:התעלם)[^.\n]{0,40}(?:הוראות|כללים)|(?:निर्देश|नियम)[^।\n]{0,30}(?:अनदेखा|नज़रअंदाज़)",
)  # fmt: skip
_SECRETS = (
    r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{12,}",
    r"\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|npm|hf|dop_v1|shpat)[-_][A-Za-z0-9_-]{10,}",
    r"\b(?:AKIA|ASIA|AROA)[A-Z0-9]{12,}|\bAIza[A-Za-z0-9_-]{20,}|\bya29\.[A-Za-z0-9_-]{10,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    r"-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE|OPENSSH)",
    r"\b(?:password|passwd|pwd|passphrase|passwort|secret|api[\s_-]*key|access[\s_-]*key|auth[\s_-]*token|token|bearer|credentials?|pin)\b\s*(?:is|are|was|=|:|->)\s*[\"']?(?!(?:not|null|none|missing|empty|stored|required|a|an|the|in|what)\b)\S{3,}",
    r"\b\w*(?:secret|access_key|password|passwd|api_key|auth_token|private_key)\w*\s*[=:]\s*[\"']?[^\s\"']{6,}",
    r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@",
    r"(?:\bpw\b|\bkennwort\b|\bpasswort\b|\bmot\s+de\s+passe\b|\bcontrasena\b|\bcontraseña\b|\bsenha\b|\bwachtwoord\b|\bhaslo\b|пароль|密码|密碼|パスワード|비밀번호)\s*(?:lautet|ist|est|es|é|is|:|：|=|是|は)\s*\S{4,}",
    r"\bmysql\b.*\s-p\S{3,}|\bauthorization\s*:\s*(?:basic|digest|token)\s+\S{8,}|\bSG\.[\w-]{10,}\.[\w-]{10,}|\botp\W{0,3}\d{4,8}\b|\bcvv\W{0,3}\d{3,4}\b",
    r"\bbearer\s+[A-Za-z0-9._-]{16,}",
)
_EMAIL = r"[\w.+-]{1,64}\s?(?:@|\(at\)|\[at\])\s?[\w-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[A-Za-z]{2,})+|\b\w{1,64}\s+at\s+\w{1,64}\s+dot\s+[a-z]{2,}\b"
_PHONE = r"(?<![\w.])(?:\+|00)\d[\d\s()./-]{6,}\d(?![\w])|(?<![\w.-])\(?0\d{2,4}\)?[\s/-]\d[\d\s-]{4,}\d(?![\w-])|(?<![\w.-])\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?![\w-])"
_PERSON = r"(?i:\b(?:born|geboren|née?)\b[^.\n]{0,15}\d)|(?i:\b(?:his|her|their)\s+(?:salary|phone|address|diagnosis|birthday)\b)|\b(?i:patient)\s+[A-Z]\w+\s+[A-Z]\w+|(?i:\b(?:licen[cs]e\s+plate|kennzeichen|employee\s+id))\W{0,3}\w*\d|(?i:\blives\s+at\b)|(?<!\w)@\w{4,}\s+on\s+\w+|\b\w{1,64}\.\w{1,64}\s+at\s+\w{1,64}\s+(?:punkt|point|punto|dot)\s+\w{2,}"
CARD = re.compile(r"(?<![\w.])(?:\d[ -]?){12,18}\d(?![\w])")
"""Digits that may be the number of a card."""
_NUMBERS = r"(?i:\bpassport\b|\breisepass\b|\bsteuer(?:nummer|-id)\b|\bsocial\s+security\b|\bnhs\b|\binsee\b|\bimei\b)[^\n]{0,20}?\d[\w /-]{4,}|(?i:\bpassport\b|\breisepass\b)[^\n]{0,20}?\b[A-Z]\w*\d\w{4,}|\b(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\b|\b(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\b|\b(?:bc1|[13])[A-HJ-NP-Za-km-z1-9]{25,39}\b|-?\b\d{1,3}\.\d{4,},\s*-?\d{1,3}\.\d{4,}|\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b|\b\d{3}-\d{2}-\d{4}\b"

ORDERS = re.compile(
    "|".join(f"(?:{one})" for one in (*_ENGLISH, *_ABROAD)), re.IGNORECASE | re.MULTILINE
)
"""Orders to a model."""
SECRETS = re.compile("|".join(f"(?:{one})" for one in _SECRETS), re.IGNORECASE)
"""Keys and passwords."""
PERSONAL = re.compile(f"(?:{_EMAIL})|(?:{_PHONE})|(?:{_NUMBERS})|(?:{_PERSON})")
"""What names one person, or only one may know; numbers of cards aside."""
RUN_TOGETHER = re.compile(
    r"(?:ignore|disregard|forget|override)(?:all|any|the|your|my|these)*(?:previous|prior|above|earlier|former)?(?:instruction|rule|prompt|guideline)"
)
"""The same in letters without anything between them."""
ENCODED = re.compile(
    r"[A-Za-z0-9+/=_-]{20,}|(?:[01]{8}\s?){6,}|(?:\b\d{2,3}\b[\s,]+){12,}|(?:[.\u2010-]{1,5}[ /]+){10,}"
)
"""What may be a text that is written so that people can't read it."""
