BEGIN TRANSACTION;
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
INSERT INTO "message" VALUES('msg_230619865001m5VPtGPPJDtqjj','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108032101,1796108062036,'{"role":"user","time":{"created":1796108032101},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_23061bf4c001uX3zmp5Ird8P5t','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108042060,1796108058992,'{"parentID":"msg_230619865001m5VPtGPPJDtqjj","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/proj","root":"/home/dev/proj"},"cost":0,"tokens":{"total":11551,"input":11544,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796108042060,"completed":1796108058991},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_2306201fe0014PsgPbZZxUm9rz','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108059134,1796108067655,'{"parentID":"msg_230619865001m5VPtGPPJDtqjj","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/proj","root":"/home/dev/proj"},"cost":0,"tokens":{"total":11742,"input":11735,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796108059134,"completed":1796108067654},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_23063947b001KQXsJnnYhSggKQ','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108162171,1796108189827,'{"role":"user","time":{"created":1796108162171},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_23063a9b0001cARXcvkTkv6Z1o','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108167600,1796108187741,'{"parentID":"msg_23063947b001KQXsJnnYhSggKQ","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/proj","root":"/home/dev/proj"},"cost":0,"tokens":{"total":11550,"input":11543,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796108167600,"completed":1796108187731},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_23063f8840018VuBpT3dlAv9IY','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108187781,1796108189255,'{"parentID":"msg_23063947b001KQXsJnnYhSggKQ","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/proj","root":"/home/dev/proj"},"cost":0,"tokens":{"total":11861,"input":11854,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796108187781,"completed":1796108189254},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_2306473c8001lQZ7C1llaDGyXN','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108219336,1796108238984,'{"role":"user","time":{"created":1796108219336},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_23064b9ac001K8m8pHO9TnGw8j','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108237228,1796108249749,'{"parentID":"msg_2306473c8001lQZ7C1llaDGyXN","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/proj","root":"/home/dev/proj"},"cost":0,"tokens":{"total":11895,"input":11888,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796108237228,"completed":1796108249747},"finish":"stop"}');
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
INSERT INTO "part" VALUES('prt_2306198e4001qM8FixZI06m2i3','msg_230619865001m5VPtGPPJDtqjj','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108041806,1796108041827,'{"type":"text","text":"\"We name the staging database heron. [[tool:search {\\\"query\\\":\\\"database\\\"}]] [[say:DONE-ONE]]\""}');
INSERT INTO "part" VALUES('prt_23061dc53001L68Kf7D7iMYWrF','msg_23061bf4c001uX3zmp5Ird8P5t','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108049492,1796108049506,'{"snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-start"}');
INSERT INTO "part" VALUES('prt_23061dc78001fuq1oesS8zebnN','msg_23061bf4c001uX3zmp5Ird8P5t','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108049528,1796108054237,'{"type":"tool","tool":"imprint_search","callID":"call_1c26a96556d3427c9d84","state":{"status":"completed","input":{"query":"database"},"output":"This session uses workspace \"default\" — the active workspace of this device, as nothing else decides.\nThe project /home/dev/proj has no workspace yet. Ask the user once which one it should use, then call use_workspace with the user''s answer; a new name creates a workspace.\nWorkspaces of this device: \"default\". Until then nothing needs to wait.\n\nNothing relevant in workspace \"default\" for \"database\". Nothing is indexed in workspace \"default\" yet: call ingest with the project''s folder.","metadata":{"truncated":false},"title":"","time":{"start":1796108049571,"end":1796108054202}}}');
INSERT INTO "part" VALUES('prt_23061f815001tqyr9IPvw1Z3XG','msg_23061bf4c001uX3zmp5Ird8P5t','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108056598,1796108056600,'{"reason":"tool-calls","snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-finish","tokens":{"total":11551,"input":11544,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO "part" VALUES('prt_2306213ae001kdHzVgz1pYuJY0','msg_2306201fe0014PsgPbZZxUm9rz','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108063696,1796108063737,'{"snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-start"}');
INSERT INTO "part" VALUES('prt_230621418001EgK30cEGgMPfLg','msg_2306201fe0014PsgPbZZxUm9rz','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108063768,1796108063980,'{"type":"text","text":"DONE-ONE","time":{"start":1796108063768,"end":1796108063909}}');
INSERT INTO "part" VALUES('prt_230621de7001mRdhTXuKDqLd8V','msg_2306201fe0014PsgPbZZxUm9rz','ses_dcf9e6e2dffe3x5C22SWP4ZN7W',1796108066279,1796108066334,'{"reason":"stop","snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-finish","tokens":{"total":11742,"input":11735,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO "part" VALUES('prt_2306394cf001dBdjQF03MkseUM','msg_23063947b001KQXsJnnYhSggKQ','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108167487,1796108167502,'{"type":"text","text":"\"what is it called [[tool:search {\\\"query\\\":\\\"staging database heron\\\"}]] [[say:DONE-TWO]]\""}');
INSERT INTO "part" VALUES('prt_23063c5060012d7CYpJ6xeFCFq','msg_23063a9b0001cARXcvkTkv6Z1o','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108174599,1796108174630,'{"snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-start"}');
INSERT INTO "part" VALUES('prt_23063c5320013bTQ2E31fcQdFL','msg_23063a9b0001cARXcvkTkv6Z1o','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108174642,1796108186993,'{"type":"tool","tool":"imprint_search","callID":"call_9696a890d5384608b65d","state":{"status":"completed","input":{"query":"staging database heron"},"output":"This session uses workspace \"default\" — the active workspace of this device, as nothing else decides.\nThe project /home/dev/proj has no workspace yet. Ask the user once which one it should use, then call use_workspace with the user''s answer; a new name creates a workspace.\nWorkspaces of this device: \"default\". Until then nothing needs to wait.\n\n2 passages in workspace \"default\" for \"staging database heron\", best first.\n\n1. \"conversation:opencode/ses_dcf9e6e2dffe3x5C22SWP4ZN7W\" said by user on 2026-12-01 [id 1, conversation, project \"proj\"]\n<recalled>\n\"We name the staging database heron. [[tool:search {\\\"query\\\":\\\"database\\\"}]] [[say:DONE-ONE]]\"\n</recalled>\n\n2. \"conversation:opencode/ses_dcf9e6e2dffe3x5C22SWP4ZN7W\" said by assistant on 2026-12-01 [id 2, conversation, project \"proj\"]\n<recalled>\nDONE-ONE\n</recalled>\nNext: read(ref=ID) for a passage in full, read(ref=SOURCE, start=…, end=…) for the lines around it.","metadata":{"truncated":false},"title":"","time":{"start":1796108174746,"end":1796108186979}}}');
INSERT INTO "part" VALUES('prt_23063f71c001BYCidLdfc7OxlF','msg_23063a9b0001cARXcvkTkv6Z1o','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108187420,1796108187422,'{"reason":"tool-calls","snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-finish","tokens":{"total":11550,"input":11543,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO "part" VALUES('prt_23063faa2001LcHQYiuOxrybUF','msg_23063f8840018VuBpT3dlAv9IY','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108188322,1796108188324,'{"snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-start"}');
INSERT INTO "part" VALUES('prt_23063fabc001ojJrrLgHe20RRc','msg_23063f8840018VuBpT3dlAv9IY','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108188349,1796108188375,'{"type":"text","text":"DONE-TWO","time":{"start":1796108188348,"end":1796108188373}}');
INSERT INTO "part" VALUES('prt_23063fcc50014H05nzr3OJgmcS','msg_23063f8840018VuBpT3dlAv9IY','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108188869,1796108188870,'{"reason":"stop","snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-finish","tokens":{"total":11861,"input":11854,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO "part" VALUES('prt_2306474830017OwuU378iXQvKL','msg_2306473c8001lQZ7C1llaDGyXN','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108237110,1796108237129,'{"type":"text","text":"\"and who is on call [[say:We decided that Ada is on call.]]\""}');
INSERT INTO "part" VALUES('prt_23064e275001h2AIJQg1hoSTh8','msg_23064b9ac001K8m8pHO9TnGw8j','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108247670,1796108247722,'{"snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-start"}');
INSERT INTO "part" VALUES('prt_23064e2da0018GXCKRUqyKHMV4','msg_23064b9ac001K8m8pHO9TnGw8j','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108247771,1796108247816,'{"type":"text","text":"We decided that Ada is on call.","time":{"start":1796108247770,"end":1796108247814}}');
INSERT INTO "part" VALUES('prt_23064e6a5001HoH3myY5eAB2FB','msg_23064b9ac001K8m8pHO9TnGw8j','ses_dcf9c6e4dffesEJ5bGZXrCtfzc',1796108248741,1796108248765,'{"reason":"stop","snapshot":"aa715210a82e0280a7c53db968a530529efd4bc7","type":"step-finish","tokens":{"total":11895,"input":11888,"output":7,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
INSERT INTO "session" VALUES('ses_dcf9e6e2dffe3x5C22SWP4ZN7W','0e2aeedbdb647de66124f80211824ac59c80f96c',NULL,NULL,'kind-pixel','/home/dev/proj','','DONE-ONE','1.18.33',NULL,0,0,0,NULL,NULL,0.0,23279,14,0,0,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"fake-model","providerID":"fake","variant":"default"}',1796108030418,1796108068149,NULL,NULL);
INSERT INTO "session" VALUES('ses_dcf9c6e4dffesEJ5bGZXrCtfzc','0e2aeedbdb647de66124f80211824ac59c80f96c',NULL,NULL,'stellar-island','/home/dev/proj','','DONE-TWO','1.18.33',NULL,0,0,0,NULL,NULL,0.0,35285,21,0,0,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"fake-model","providerID":"fake","variant":"default"}',1796108161458,1796108249884,NULL,NULL);
COMMIT;
